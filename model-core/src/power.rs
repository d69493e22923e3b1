//! Powers with whole exponents by repeated squaring: the same bits native and in wasm, where `powf` may differ.

/// `base` to the `exponent`.
#[must_use]
pub fn whole_power(base: f64, exponent: u64) -> f64 {
    let (mut result, mut square, mut rest) = (1.0, base, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result *= square;
        }
        square *= square;
        rest >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::whole_power;

    #[test]
    fn powers_are_products() {
        assert_eq!(whole_power(3.0, 4), 81.0);
        assert_eq!(whole_power(0.5, 0), 1.0);
        assert!((whole_power(0.984_375, 32) - 0.984_375_f64.powi(32)).abs() < 1e-15);
    }
}
