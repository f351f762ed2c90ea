/** Returns a line of a bill: a product so many times, with a discount in percent. */
export function lineOf(product, count, discount = 0) {
  const full = product.euros * count
  return { name: product.name, count, tax: product.tax, euros: full - (full * discount) / 100 }
}
