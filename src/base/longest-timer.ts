/** The longest time that a timer of Node holds, ms: it fires a longer one at once. */
export const longestTimer = 2 ** 31 - 1
