/** The longest delay of a Node timer; ms. A longer one fires immediately. */
export const longestTimer = 2 ** 31 - 1
