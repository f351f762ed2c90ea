import type { RunManifest } from '../../schema/run/run.ts'
import { isVariableName, notVariableName } from '../../schema/variable-name.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { createRedactor, type Redactor, secretsOf } from '../../text/redact.ts'
import type { ConfigFile } from './config-file.ts'
import type { MergedOptions } from './merge-options.ts'

/** Finds the secrets of a run in the environment. `further` names variables beyond those that look like keys. */
export function findRunSecrets(further: readonly string[]): {
  redact: Redactor | undefined
  /** Names whose values cannot be distinguished from other text. */
  unsuitable: string[]
  /** Names of `further` that are not set. */
  unset: string[]
} {
  const { secrets, unsuitable } = secretsOf(process.env, further)
  return {
    redact: createRedactor(secrets),
    unsuitable,
    unset: further.filter((name) => !process.env[name]?.trim()),
  }
}

/** Returns the problem of a secret variable that is not set, with the line of the config file or the option. */
export function unsetSecretProblem(name: string, config: ConfigFile | undefined): Problem {
  if (!isVariableName(name)) return { where: '--secret', ...notVariableName }
  const at = config?.config.secrets?.indexOf(name) ?? -1
  return {
    where: config && at >= 0 ? `${config.where('secrets', at)} ${name}` : `--secret ${name}`,
    what: 'is not set in the environment',
    fix: 'Give the name of the variable that holds the secret, or remove the option.',
  }
}

/** Redacts secrets in options and config. An option that needs the real value, such as a path, is then not found. */
export function redactOptions(given: MergedOptions, redact: Redactor): MergedOptions {
  const { options, config } = given
  const clean = Object.entries(options).map(([name, value]) => [name, redact.data(value as unknown)])
  return {
    ...given,
    options: Object.fromEntries(clean),
    config: config && { ...config, config: redact.data(config.config) },
  }
}

/** Throws `UserError` if a name in run.json contains a secret, because names cannot be redacted. */
export function requireNoSecrets(manifest: RunManifest, redact: Redactor): void {
  const problems = Object.entries(manifest)
    .filter(([field, value]) => field !== 'secrets' && redact.data(value as unknown) !== value)
    .map(([field, value]) => ({
      where: `run.json ${field}`,
      what: `would contain a secret: ${excerpt(redact.text(JSON.stringify(value)))}`,
      fix: 'Use a name without the secret, or unset the variable for this run.',
    }))
  if (problems.length > 0) throw new UserError(problems)
}

/** Returns the part of a redacted text that holds its first redaction. */
function excerpt(redacted: string): string {
  const start = Math.max(0, redacted.indexOf('[redacted ') - 80)
  return `${start > 0 ? '…' : ''}${redacted.slice(start, start + 200)}`
}
