//! A small static server on 127.0.0.1 for the built page.

use std::sync::Arc;

use tiny_http::{Header, Method, Request, Response, Server};

use crate::failure::{Failure, Result, While};
use crate::site::Site;

/// How many requests are answered at once.
const WORKERS: usize = 4;

/// A server at work; it ends with the process.
pub(crate) struct Serving {
    port: u16,
    workers: Vec<std::thread::JoinHandle<()>>,
}

impl Serving {
    /// The page's address.
    pub(crate) fn address(&self) -> String {
        address(self.port)
    }

    /// Serves until the process is ended.
    pub(crate) fn forever(self) {
        for worker in self.workers {
            // A worker returns only when the server's socket is gone.
            let _ = worker.join();
        }
    }
}

/// The address of a page served on this port.
pub(crate) fn address(port: u16) -> String {
    format!("http://127.0.0.1:{port}/")
}

/// Serves on the first free port from `port` on, or on any free one if that is 0.
pub(crate) fn start(site: Site, port: u16) -> Result<Serving> {
    let server = if port == 0 { listen(0)? } else { first_free(port, listen)? };
    let port = server.server_addr().to_ip().map(|address| address.port()).unwrap_or(port);
    let (server, site) = (Arc::new(server), Arc::new(site));
    let workers = (0..WORKERS).map(|_| {
        let (server, site) = (Arc::clone(&server), Arc::clone(&site));
        std::thread::spawn(move || {
            while let Ok(request) = server.recv() {
                // A reader who went away before the answer is no error of ours.
                let _ = answer(request, &site);
            }
        })
    });
    Ok(Serving { port, workers: workers.collect() })
}

/// The first free port from `port` on.
pub(crate) fn free_port(port: u16) -> Result<u16> {
    first_free(port, |port| {
        std::net::TcpListener::bind(("127.0.0.1", port)).when(|| format!("port {port}")).map(|_| port)
    })
}

fn listen(port: u16) -> Result<Server> {
    Server::http(("127.0.0.1", port)).when(|| format!("port {port} on 127.0.0.1"))
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

fn answer(request: Request, site: &Site) -> std::io::Result<()> {
    if !matches!(request.method(), Method::Get | Method::Head) {
        return request.respond(Response::from_string("only GET and HEAD\n").with_status_code(405));
    }
    let Some(asset) = site.get(request.url()) else {
        return request.respond(Response::from_string("not found\n").with_status_code(404));
    };
    let takes_brotli = request.headers().iter().any(|header| {
        header.field.equiv("Accept-Encoding")
            && header.value.as_str().split(',').any(|coding| coding.trim() == "br")
    });
    let packed = asset.brotli.as_ref().filter(|_| takes_brotli);
    let mut headers = vec![
        ("Content-Type", asset.content_type),
        ("Cache-Control", "no-cache"),
        ("Vary", "Accept-Encoding"),
        // A figure embedded in a sandboxed frame has no origin of its own and may load modules only like this.
        ("Access-Control-Allow-Origin", "*"),
    ];
    if packed.is_some() {
        headers.push(("Content-Encoding", "br"));
    }
    // Not copied into one piece by chunks: a length lets readers show progress.
    let body = packed.unwrap_or(&asset.plain);
    let mut response = Response::from_data(body.as_slice()).with_chunked_threshold(usize::MAX);
    for (name, value) in headers {
        if let Ok(header) = Header::from_bytes(name, value) {
            response.add_header(header);
        }
    }
    request.respond(response)
}
