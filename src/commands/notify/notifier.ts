import type { Notification } from '../../schema/run/notification.ts'
import { thrownText } from '../../text/errors.ts'
import { mergeOptions } from '../config/merge-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import { findRunSecrets } from '../config/run-secrets.ts'
import type { ExecutedRun } from '../session/execute.ts'
import { reportNote } from '../terminal/report-error.ts'
import { foreignConfig } from '../trust/foreign-file.ts'
import { requireTrust } from '../trust/require-trust.ts'
import { failureNotification, notificationOf } from './notification.ts'
import { notify } from './notify.ts'
import { readNotifyTarget } from './target.ts'

/** Tells whom `--notify` names how a run ended. A failure is only a note. */
export interface Notifier {
  /** Checks that the config file may name whom it tells, as the run checks it for all else. Throws `UserError`. */
  requireTrust(): Promise<void>
  tellEnd(run: ExecutedRun, how: { exitCode: number; byPerson: boolean }): Promise<void>
  /** For a run that had begun and threw. */
  tellFailure(folder: string, error: unknown): Promise<void>
}

/** Creates the notifier of a run, which may have nobody to tell. Throws `UserError` if the target is wrong. */
export function createNotifier(options: RunOptions, signal: AbortSignal): Notifier {
  const target = readNotifyTarget(options)
  const tell = async (folder: string, notification: Notification, further: readonly string[]) => {
    if (!target) return
    const secrets = [...(mergeOptions(options).options.secret ?? []), ...further]
    // An interrupted run tells of it, too; then only the second Ctrl-C ends that.
    const stop = signal.aborted ? new AbortController().signal : signal
    const { redact } = findRunSecrets(secrets)
    reportNote(await notify(target, notification, { folder, redact, secrets, signal: stop }))
  }
  return {
    async requireTrust() {
      const trusted = options.trustCode === true
      if (target?.config) await requireTrust([foreignConfig(target.config)], { trusted, signal })
    },
    tellEnd: (run, how) => tell(run.folder, notificationOf(run, how), run.manifest.secrets ?? []),
    tellFailure: (folder, error) => tell(folder, failureNotification(folder, thrownText(error)), []),
  }
}
