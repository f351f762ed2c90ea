/** Reads a price list: a line for each product, `name;price in euros;tax in percent`. */
export function readCatalogue(text) {
  const products = new Map()
  for (const line of text.split('\n').filter(Boolean)) {
    const [name, price, tax] = line.split(';')
    products.set(name, { name, euros: Number(price), tax: Number(tax) })
  }
  return products
}
