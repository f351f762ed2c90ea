/**
 * Stores the environment. The returned function restores it in place: another object would not be the one of the
 * system's, for all tests of the process that come later.
 */
export function keepEnvironment(): () => void {
  const before = { ...process.env }
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
