const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns the number of the day in its year, from 1, in the Gregorian calendar. Months count from 1. */
export function dayOfYear(year, month, day) {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const before = lengths.slice(0, month - 1).reduce((sum, length) => sum + length, 0)
  return before + day + (isLeap && month > 2 ? 1 : 0)
}
