/** Returns why a number is no plain one, from what stands beside it: `stands beside "half of"`. */
export const beside = (what: string): string => `stands beside ${JSON.stringify(what)}`
