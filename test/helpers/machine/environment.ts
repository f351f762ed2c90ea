/**
 * Remembers the environment; what it gives puts it back, in place: another object in its stead would be none of the
 * system's, for all tests of the process that come later.
 */
export function keepEnvironment(): () => void {
  const before = { ...process.env }
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}
