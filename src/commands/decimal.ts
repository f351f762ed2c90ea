const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** The number that a decimal text says; NaN for all else, of which `Number` takes some, such as nothing and `0x10`. */
export const decimalOf = (text: string): number => (decimal.test(text) ? Number(text) : Number.NaN)
