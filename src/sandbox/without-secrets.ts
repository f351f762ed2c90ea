import { secretsOf } from '../redact.ts'

/** Our environment without keys, for programs of this machine: a version manager's shim needs the rest to find its program. */
export function withoutSecrets(): NodeJS.ProcessEnv {
  const { secrets, unsuitable } = secretsOf(process.env)
  const hidden = new Set([...secrets.map(({ name }) => name), ...unsuitable])
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !hidden.has(name)))
}
