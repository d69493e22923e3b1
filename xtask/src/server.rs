//! A small static server on 127.0.0.1 for the built page.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use crate::failure::{Failure, Result, While};
use crate::site::Site;

/// The longest request head that is read; browsers send about one kilobyte.
const HEAD_LIMIT: u64 = 32 * 1024;

/// How long a connection may stay silent before it is closed.
const IDLE: Duration = Duration::from_secs(60);

/// A server at work; it ends with the process.
pub(crate) struct Serving {
    port: u16,
    listener: std::thread::JoinHandle<()>,
}

impl Serving {
    /// The page's address.
    pub(crate) fn address(&self) -> String {
        address(self.port)
    }

    /// Serves until the process is ended.
    pub(crate) fn forever(self) {
        // The listener never returns.
        let _ = self.listener.join();
    }
}

/// The address of a page served on this port.
pub(crate) fn address(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

/// Serves on the first free port from `port` on, or on any free one if that is 0.
pub(crate) fn start(site: Site, port: u16) -> Result<Serving> {
    let socket = if port == 0 { listen(0)? } else { first_free(port, listen)? };
    let port = socket.local_addr().when(|| "the server's own address".to_owned())?.port();
    let site = Arc::new(site);
    let listener = std::thread::spawn(move || {
        // One thread a connection: browsers open a handful, keep them, and some stay silent.
        for connection in socket.incoming().filter_map(io::Result::ok) {
            let site = Arc::clone(&site);
            std::thread::spawn(move || {
                // A reader who goes away in the middle is no error of ours.
                let _ = converse(&connection, &site);
            });
        }
    });
    Ok(Serving { port, listener })
}

/// The first free port from `port` on.
pub(crate) fn free_port(port: u16) -> Result<u16> {
    first_free(port, |port| listen(port).map(|_| port))
}

fn listen(port: u16) -> Result<TcpListener> {
    TcpListener::bind(("127.0.0.1", port)).when(|| format!("port {port} on 127.0.0.1"))
}

fn first_free<T>(port: u16, try_port: impl Fn(u16) -> Result<T>) -> Result<T> {
    let mut last = Failure::new("no port was tried");
    for port in port..=port.saturating_add(99) {
        match try_port(port) {
            Ok(found) => return Ok(found),
            Err(failure) => last = failure,
        }
    }
    Err(Failure::new(format!("none of 100 ports from {port} on is free ({last}); name another with --port")))
}

/// Answers the requests of one connection until it is closed or says something that is no request.
fn converse(connection: &TcpStream, site: &Site) -> io::Result<()> {
    connection.set_read_timeout(Some(IDLE))?;
    connection.set_nodelay(true)?;
    let mut reader = BufReader::new(connection);
    let mut writer = connection;
    while let Some(head) = read_head(&mut reader)? {
        let Some(request) = Request::parse(&head) else {
            return writer.write_all(&refusal("400 Bad Request", "not understood\n"));
        };
        writer.write_all(&answer(&request, site))?;
        if request.closes {
            // Closing on unread bytes could take the answer back from the reader.
            connection.shutdown(Shutdown::Write)?;
            io::copy(&mut reader.take(HEAD_LIMIT), &mut io::sink())?;
            return Ok(());
        }
    }
    Ok(())
}

/// The lines of the next request up to the empty one; nothing if the connection was closed before or within.
fn read_head(reader: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut limited = reader.take(HEAD_LIMIT);
    let mut head = String::new();
    loop {
        let before = head.len();
        if limited.read_line(&mut head)? == 0 {
            return Ok(None);
        }
        if head[before..].trim_end().is_empty() {
            return Ok(Some(head));
        }
    }
}

/// What matters of a request.
struct Request<'a> {
    method: &'a str,
    url: &'a str,
    brotli: bool,
    /// Whether the connection ends after the answer: the reader asks for it, or sends a body that nobody reads.
    closes: bool,
}

impl<'a> Request<'a> {
    fn parse(head: &'a str) -> Option<Self> {
        let mut lines = head.lines();
        let mut words = lines.next()?.split(' ');
        let (method, url, version) = (words.next()?, words.next()?, words.next()?);
        if !version.starts_with("HTTP/1.") {
            return None;
        }
        let mut request = Self { method, url, brotli: false, closes: version == "HTTP/1.0" };
        for (name, value) in lines.filter_map(|line| line.split_once(':')) {
            let lists =
                |word: &str| value.split([',', ';']).any(|part| part.trim().eq_ignore_ascii_case(word));
            match name.to_ascii_lowercase().as_str() {
                "accept-encoding" => request.brotli = lists("br"),
                "connection" => request.closes |= lists("close"),
                "content-length" | "transfer-encoding" => request.closes = true,
                _ => {}
            }
        }
        Some(request)
    }
}

/// The whole answer, head and body.
fn answer(request: &Request<'_>, site: &Site) -> Vec<u8> {
    if !matches!(request.method, "GET" | "HEAD") {
        return refusal("405 Method Not Allowed", "only GET and HEAD\n");
    }
    let Some(asset) = site.get(request.url) else {
        return refusal("404 Not Found", "not found\n");
    };
    let packed = asset.brotli.as_ref().filter(|_| request.brotli);
    let body = packed.unwrap_or(&asset.plain);
    let encoding = if packed.is_some() { "Content-Encoding: br\r\n" } else { "" };
    // A figure embedded in a sandboxed frame has no origin of its own and may load modules only with the last line.
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {}\r\nContent-Length: {}\r\n{encoding}Vary: Accept-Encoding\r\n\
         Cache-Control: no-cache\r\nAccess-Control-Allow-Origin: *\r\n\r\n",
        asset.content_type,
        body.len()
    );
    let mut whole = head.into_bytes();
    if request.method == "GET" {
        whole.extend_from_slice(body);
    }
    whole
}

fn refusal(status: &str, text: &str) -> Vec<u8> {
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\r\n{text}",
        text.len()
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn serving() -> Serving {
        let folder = std::env::temp_dir().join(format!("xtask-server-{:?}", std::thread::current().id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("index.html"), "<!doctype html>".repeat(99)).unwrap();
        let site = Site::read(&folder).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        start(site, 0).unwrap()
    }

    /// Sends text on a new connection, and returns all that comes back until the server closes it.
    fn exchange(serving: &Serving, text: &str) -> String {
        let mut connection = TcpStream::connect(("127.0.0.1", serving.port)).unwrap();
        connection.write_all(text.as_bytes()).unwrap();
        connection.shutdown(Shutdown::Write).unwrap();
        let mut bytes = Vec::new();
        connection.read_to_end(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    #[test]
    fn silent_connections_keep_nobody_waiting() {
        let serving = serving();
        let silent: Vec<TcpStream> =
            (0..32).map(|_| TcpStream::connect(("127.0.0.1", serving.port)).unwrap()).collect();
        let said = exchange(&serving, "GET / HTTP/1.1\r\n\r\n");
        assert!(said.starts_with("HTTP/1.1 200 OK\r\n") && said.ends_with("<!doctype html>"));
        drop(silent);
    }

    #[test]
    fn a_connection_answers_one_request_after_the_other() {
        let said = exchange(&serving(), "HEAD / HTTP/1.1\r\n\r\nGET /none HTTP/1.1\r\n\r\n");
        assert!(said.contains("200 OK") && said.contains("404 Not Found"), "{said}");
        assert!(!said.contains("doctype"), "HEAD has no body: {said}");
    }

    #[test]
    fn brotli_is_sent_only_to_those_who_take_it() {
        let serving = serving();
        for (header, packed) in [
            ("Accept-Encoding: gzip, deflate, br, zstd", true),
            ("accept-encoding: br;q=1.0", true),
            ("Accept-Encoding: gzip", false),
            ("X-Other: br", false),
        ] {
            let said = exchange(&serving, &format!("GET / HTTP/1.1\r\n{header}\r\n\r\n"));
            assert_eq!(said.contains("Content-Encoding: br"), packed, "{header}");
        }
    }

    #[test]
    fn what_is_no_request_for_a_file_is_refused() {
        let serving = serving();
        let body = "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc";
        assert!(exchange(&serving, body).contains("405"));
        assert!(exchange(&serving, "hello\r\n\r\n").contains("400"));
        assert_eq!(exchange(&serving, "GET / HTTP/1.1\r\n"), "");
    }
}
