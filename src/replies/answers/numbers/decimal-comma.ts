/**
 * Rewrites the numbers of a text in which a comma stands before decimals and points may part thousands: `1.234,5` becomes `1234.5`.
 * Numbers that can only be written with a decimal point (`2.5`), or have several commas, stay as they are.
 */
export const commasToPoints = (text: string): string =>
  text.replace(/\d[\d.,]*/g, (number) => {
    const [, whole, decimals = '', rest] =
      /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d+))?([.,]?)$/.exec(number) ?? []
    if (whole === undefined) return number
    return `${whole.replaceAll('.', '')}${decimals && `.${decimals}`}${rest}`
  })
