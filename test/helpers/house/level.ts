/** Returns what a law tries by day; in the night, when `npm run test:nightly` runs every `*.law.test.ts` again, far more of it. */
export const level = <Tried>(day: Tried, night: Tried): Tried =>
  process.env.TEST_LEVEL === 'night' ? night : day
