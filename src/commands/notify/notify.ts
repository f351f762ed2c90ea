import { withoutSecrets } from '../../sandbox/machine/run-tool.ts'
import type { Notification } from '../../schema/run/notification.ts'
import type { Redactor } from '../../text/redact.ts'
import { postJson } from './post.ts'
import { runCommand } from './run-command.ts'
import type { NotifyTarget } from './target.ts'

/** The longest times for a command and for a request, and the wait before the second request; ms. */
const times = { commandMs: 30_000, requestMs: 10_000, retryAfterMs: 1000 }

/**
 * Tells a target how a run ended. Returns what went wrong, in words; undefined if nothing did. `BENCH_RUN` of a command is the run
 * folder; the rest of its environment is that of bench, without keys.
 */
export async function notify(
  target: NotifyTarget,
  notification: Notification,
  {
    folder,
    redact,
    secrets,
    signal,
    commandMs = times.commandMs,
    requestMs = times.requestMs,
    retryAfterMs = times.retryAfterMs,
  }: {
    folder: string
    redact: Redactor | undefined
    /** Names of variables that a command does not get, besides those that look like keys. */
    secrets: readonly string[]
    signal: AbortSignal
    commandMs?: number
    requestMs?: number
    retryAfterMs?: number
  },
): Promise<string | undefined> {
  const text = JSON.stringify(redact ? redact.data(notification) : notification)
  const problem =
    'url' in target
      ? await postJson(target.url, text, { timeoutMs: requestMs, retryAfterMs, signal })
      : await runCommand(target.command, `${text}\n`, {
          env: { ...commandEnvironment(secrets), BENCH_RUN: folder },
          ...{ timeoutMs: commandMs, signal },
        })
  if (problem === undefined) return undefined
  return `--notify: ${target.shown} ${redact ? redact.cut(problem) : problem}`
}

function commandEnvironment(secrets: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(withoutSecrets()).filter(([name]) => !secrets.includes(name)))
}
