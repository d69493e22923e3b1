// How Chromium is started, for tests, measurements and screenshots alike.

/** The page's address; `cargo xtask` serves the built page and names it here. */
export const baseURL = process.env.BASE_URL ?? 'http://127.0.0.1:8080/';

/** Start options: the system's Chromium, usable as root, reaching for nothing but this machine. */
export const launch = {
  executablePath: process.env.CHROME_PATH || '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
};
