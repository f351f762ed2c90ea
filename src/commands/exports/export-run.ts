import { publicAddress } from '../../agents/http/address.ts'
import type { Export, ExportedRun, ExportedTrial, FilePart } from '../../exports/exported-trial.ts'
import { otlpSpans, traceRequest } from '../../exports/otlp.ts'
import { missingSessionsNote, verifyLedger } from '../../loop/record/verify-ledger.ts'
import { counted } from '../../reports/words/numbers.ts'
import { rowNames } from '../../schema/agent/agent-set.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { formatProblem } from '../../text/errors.ts'
import { shellWord } from '../../text/shell-word.ts'
import { askToLook, reportInterimLook } from '../compare/interim-look.ts'
import { tryReadTasks } from '../open/find-trial.ts'
import { openRun } from '../open/open-run.ts'
import { noteUnjoined, requireJoined } from '../open/require-joined.ts'
import { reportNote } from '../terminal/report-error.ts'
import { say } from '../terminal/say.ts'
import { redactForFile } from '../terminal/standard-streams.ts'
import { type ExportOptions, type ExportTarget, readTarget } from './export-options.ts'
import { countEnded, readTrials } from './read-trials.ts'
import { sendTraces } from './send-traces.ts'
import { printParts, writeParts } from './write-parts.ts'

/** `bench export RUN --format F`: writes the trials of a run in a format of other tools, or sends them to a collector. */
export default async function exportRun(run: string, options: ExportOptions): Promise<number> {
  const target = readTarget(options)
  const { folder, manifest } = openRun(run)
  requireJoined(`bench export ${run}`, [{ folder, manifest }])
  verifyLedger(folder)
  reportNote(missingSessionsNote(folder, manifest))
  noteUnjoined(folder)
  const ended = countEnded(folder)
  const isCompared = rowNames(manifest).length > 1 && !manifest.request
  if (isCompared) await askToLook(folder, manifest, { command: 'export', peek: options.peek === true })
  if (ended < manifest.trials)
    reportNote(
      `${ended} of ${counted(manifest.trials, 'trial')} ${manifest.imported ? 'were run at their source' : 'have ended'}; the others are not exported`,
    )
  const hasTexts = target.content || target.exporter.out === 'folder'
  if (hasTexts && manifest.capture?.prompts === false)
    reportNote('capture.prompts of this run is false: the export has no prompts and no results of tools')
  const tasks = target.exporter.readsTasks ? await tryReadTasks(folder, manifest) : new Map()
  const trials = readTrials(folder, tasks)
  const exported = { manifest, content: target.content, clean: redactForFile }
  const code = target.collector
    ? await send(trials, exported, target.collector)
    : await write(trials, exported, target)
  if (isCompared) reportInterimLook(folder, manifest, ended, 'export')
  return code
}

async function write(
  trials: Iterable<ExportedTrial>,
  run: ExportedRun,
  { exporter, out }: ExportTarget,
): Promise<number> {
  const writing = exporter.begin(run)
  const parts = partsOf(trials, writing)
  if (out === undefined) {
    await printParts(parts)
    return 0
  }
  writeParts(parts, out)
  for (const [reason, count] of writing.leftOut ?? [])
    reportNote(`left out: ${counted(count, 'trial')} with ${reason}`)
  for (const text of endTexts(out, Object.keys(exporter.shared), run.manifest)) say(text)
  return 0
}

function* partsOf(trials: Iterable<ExportedTrial>, writing: Export): Generator<FilePart> {
  for (const trial of trials) yield* writing.add(trial)
  yield* writing.end()
}

/** Says where an export is, and what an import of it has. */
function endTexts(out: string, shared: readonly string[], { simulated }: RunManifest): string[] {
  if (shared.length === 0 || simulated) return [`written: ${out}`]
  return [
    `written: ${out}`,
    `bench import ${shellWord(out)} --out RUN makes a run of it, with ${shared.join(', ')} of its trials`,
  ]
}

async function send(
  trials: Iterable<ExportedTrial>,
  run: ExportedRun,
  collector: NonNullable<ExportTarget['collector']>,
): Promise<number> {
  function* spans() {
    for (const trial of trials) yield* otlpSpans(trial, run)
  }
  const requestOf = (batch: readonly string[]) => redactForFile(traceRequest(batch, run))
  const { spans: taken, rejected, message, failure } = await sendTraces(spans(), requestOf, collector)
  const where = `--to ${publicAddress(collector.url)}`
  const reason = message === undefined ? '' : `: ${message}`
  if (rejected > 0) say(`bench: [${where}] rejected ${rejected} of ${counted(taken, 'span')}${reason}`)
  else if (message !== undefined) reportNote(`${where} says: ${message}`)
  if (failure)
    say(
      `bench: ${formatProblem({ where, ...failure, what: `${failure.what}; ${counted(taken, 'span')} were sent before` })}`,
    )
  else say(`sent: ${counted(taken - rejected, 'span')} to ${publicAddress(collector.url)}`)
  return failure || rejected > 0 ? 1 : 0
}
