//! Times in a wasm test, for reading: by the runtime's clock and its processor time.

use wasm_bindgen::JsValue;

/// A function of one of the runtime's global objects, as a call.
fn method(object: &str, name: &str) -> impl Fn() -> JsValue + use<> {
    let object = js_sys::Reflect::get(&js_sys::global(), &object.into()).unwrap();
    let function: js_sys::Function = js_sys::Reflect::get(&object, &name.into()).unwrap().into();
    move || function.call0(&object).unwrap()
}

/// Median and best of `runs` timings by the clock, and the mean processor time: on a busy machine the last two
/// tell more. As text.
pub(crate) fn timed(runs: usize, mut work: impl FnMut()) -> String {
    let clock = method("performance", "now");
    let usage = method("process", "cpuUsage");
    let microseconds = || js_sys::Reflect::get(&usage(), &"user".into()).unwrap().as_f64().unwrap();
    let mut times = Vec::new();
    let before = microseconds();
    for _ in 0..runs {
        let start = clock().as_f64().unwrap();
        work();
        times.push(clock().as_f64().unwrap() - start);
    }
    let processor = (microseconds() - before) / runs as f64 / 1e3;
    times.sort_by(f64::total_cmp);
    format!("{:.3} ms (best {:.3}, processor time {processor:.3}, of {runs})", times[runs / 2], times[0])
}
