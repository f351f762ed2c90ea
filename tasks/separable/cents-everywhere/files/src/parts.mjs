/** Splits a sum into equal payments, one a month. */
export function inParts(euros, count) {
  return Array.from({ length: count }, (_, at) => ({ month: at + 1, euros: euros / count }))
}
