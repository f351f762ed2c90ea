import type { RunManifest } from '../../schema/run/run.ts'
import { isVariableName, notVariableName } from '../../schema/variable-name.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { createRedactor, type Redactor, secretsOf } from '../../text/redact.ts'
import type { ConfigFile } from './config-file.ts'
import type { MergedOptions } from './merge-options.ts'

/** What a run must keep out of everything, from the environment as it is now. `further` names variables beyond those known. */
export function findRunSecrets(further: readonly string[]): {
  redact: Redactor | undefined
  /** Names whose values cannot be told from other text. */
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

/** What to tell of a variable that was named as secret and is not there: of the file with its line, else of the flag. */
export function unsetSecretProblem(name: string, config: ConfigFile | undefined): Problem {
  if (!isVariableName(name)) return { where: '--secret', ...notVariableName }
  const at = config?.config.secrets?.indexOf(name) ?? -1
  return {
    where: config && at >= 0 ? `${config.where('secrets', at)} ${name}` : `--secret ${name}`,
    what: 'is not set in the environment',
    fix: 'Give the name of the variable that holds the secret, or leave it out.',
  }
}

/** What was asked for as if it had been given without secrets; whatever needs the real value (a path) is then not found. */
export function redactOptions(given: MergedOptions, redact: Redactor): MergedOptions {
  const { options, config } = given
  const clean = Object.entries(options).map(([name, value]) => [name, redact.data(value as unknown)])
  return {
    ...given,
    options: Object.fromEntries(clean),
    config: config && { ...config, config: redact.data(config.config) },
  }
}

/** Throws `UserError` where run.json would hold a secret in what names something, and so cannot be redacted. */
export function requireNoSecrets(manifest: RunManifest, redact: Redactor): void {
  const problems = Object.entries(manifest)
    .filter(([field, value]) => field !== 'secrets' && redact.data(value as unknown) !== value)
    .map(([field, value]) => ({
      where: `run.json ${field}`,
      what: `would hold a secret: ${redact.text(JSON.stringify(value)).slice(0, 200)}`,
      fix: 'Rename what has the same name as the secret, or unset the variable for this run.',
    }))
  if (problems.length > 0) throw new UserError(problems)
}
