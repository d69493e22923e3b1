// What a browser finds in an exported SVG file.
import { readFile } from 'node:fs/promises';

/** Presses a button that saves a file; gives back its name and text. */
export async function saved(page, testid) {
  const coming = page.waitForEvent('download');
  await page.getByTestId(testid).click();
  const download = await coming;
  const path = await download.path();
  return { name: download.suggestedFilename(), text: await readFile(path, 'utf8'), path };
}

/** Reads an SVG as XML: whether it is well formed, what it says of itself, and what it reaches for. */
export function read(page, text) {
  return page.evaluate((text) => {
    const file = new DOMParser().parseFromString(text, 'image/svg+xml');
    const all = [...file.querySelectorAll('*')];
    const attributes = all.flatMap((e) => [...e.attributes].map(({ name, value }) => ({ name, value })));
    const ids = new Set(all.map((e) => e.id).filter(Boolean));
    const own = (value) => [...value.matchAll(/url\(#([^)]+)\)/g)].every(([, id]) => ids.has(id));
    const root = file.documentElement;
    return {
      wellFormed: !file.querySelector('parsererror') && root.localName === 'svg',
      viewBox: root.getAttribute('viewBox').split(' ').map(Number),
      title: root.querySelector('title')?.textContent ?? '',
      description: root.querySelector('desc')?.textContent ?? '',
      scenario: root.querySelector('metadata > scenario')?.textContent ?? '',
      link: root.querySelector('metadata > link')?.textContent ?? '',
      fonts: root.getAttribute('font-family') ?? '',
      texts: [...file.querySelectorAll('text')].map((e) => e.textContent),
      figures: all.filter((e) => e.dataset?.figure ?? e.getAttribute('data-figure')).map((e) => `${e.getAttribute('data-figure')} = ${e.getAttribute('data-value')}`),
      // Namespaces are names, not addresses.
      outside: attributes
        .filter(({ name, value }) => (name.split(':').pop() === 'href' || name === 'src' || /url\((?!#)/.test(value)) || (/url\(#/.test(value) && !own(value)))
        .map(({ name, value }) => `${name}="${value}"`),
      foreign: all.filter((e) => ['style', 'script', 'foreignObject', 'image', 'use', 'a'].includes(e.localName)).map((e) => e.localName),
    };
  }, text);
}

/**
 * Draws the file with room around it and looks at the pixels: how many lie outside its viewBox, whether the ground is
 * the file's own everywhere, and how many colours there are.
 */
export function inkOf(page, text) {
  return page.evaluate(async (text) => {
    const [, , width, height] = text.match(/viewBox="([^"]+)"/)[1].split(' ').map(Number);
    const room = 300;
    const [wide, high] = [width + 2 * room, height + 2 * room];
    const roomy = text
      .replace(/viewBox="[^"]+"/, `viewBox="${-room} ${-room} ${wide} ${high}"`)
      .replace(/ width="[\d.]+" height="[\d.]+" role/, ` width="${wide}" height="${high}" role`);
    const image = new Image();
    image.src = URL.createObjectURL(new Blob([roomy], { type: 'image/svg+xml' }));
    await image.decode();
    const canvas = new OffscreenCanvas(Math.ceil(wide), Math.ceil(high));
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0, wide, high);
    URL.revokeObjectURL(image.src);
    const { data, width: columns } = context.getImageData(0, 0, canvas.width, canvas.height);
    let [outside, holes] = [0, 0];
    const colours = new Set();
    for (let index = 0; index < data.length / 4; index++) {
      const [x, y] = [(index % columns) + 0.5 - room, Math.floor(index / columns) + 0.5 - room];
      const alpha = data[index * 4 + 3];
      // Half a pixel at each edge belongs to either side.
      if (x < -1 || y < -1 || x > width + 1 || y > height + 1) {
        if (alpha > 0) outside += 1;
      } else if (x > 1 && y > 1 && x < width - 1 && y < height - 1) {
        if (alpha < 255) holes += 1;
        colours.add((data[index * 4] << 16) | (data[index * 4 + 1] << 8) | data[index * 4 + 2]);
      }
    }
    const ground = [...data.slice((columns * (room + 2) + room + 2) * 4).slice(0, 3)];
    return { outside, holes, colours: colours.size, ground };
  }, text);
}
