import { join } from 'node:path'
import { rowNames } from '../../schema/agent/agent-set.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { wholeRunId } from '../../schema/run/same-run.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { UserError } from '../../text/errors.ts'
import { journalFiles } from '../journal/journal.ts'
import { readJournalLines, stepRemedy } from '../journal/jsonl.ts'
import { trialOf } from '../journal/ledger-index.ts'
import { readLines } from '../journal/lines.ts'
import { runFiles } from '../journal/run-files.ts'
import { createRunFolder } from '../record/run-folder.ts'
import { copyBlobs, copySpans, copyTrials, readSpan, writeLines } from './copy.ts'
import {
  checkSource,
  type PartFile,
  type PlacedRecord,
  partFiles,
  readSource,
  requireSameRun,
  type Source,
} from './read-shard.ts'

/**
 * Joins shards of one run, and runs that were joined before, into a new run folder. It copies lines and computes nothing: records in
 * plan order, all else shard after shard. The same shards give the same bytes in whatever order they are named and joined. Throws
 * `UserError` for shards that do not fit, for damage, and for a folder that is not empty. Returns the manifest, the number of records
 * and the shards that are missing, as the first and the last of each gap.
 */
export async function joinShards(
  folders: readonly string[],
  out: string,
): Promise<{ manifest: RunManifest; recorded: number; missing: [first: number, last: number][] }> {
  const sources = folders.map(readSource)
  const [first] = sources
  if (!first) throw new UserError({ where: 'bench runs join', what: 'names no shard', fix: 'Name folders.' })
  for (const source of sources) requireSameRun(first, source)
  const records = sources.flatMap((source) => checkSource(source))
  const parts = distinctParts(sources)
  const placed = distinctRecords(records)
  const manifest = joinedManifest(sources, parts)
  await createRunFolder(out, (folder) => {
    for (const file of Object.keys(partFiles) as PartFile[]) {
      const spans = parts.map(({ source, part }) => ({ source, ...part[file] }))
      if (file !== 'people' || spans.some(({ length }) => length > 0))
        copySpans(folder, partFiles[file], spans)
    }
    copySpans(folder, journalFiles.records, placed)
    writeLines(folder, runFiles.sessions, sources.flatMap(sessionTexts))
    const looks = sources.flatMap((source) => [...readLines(join(source.folder, runFiles.looks))])
    writeLines(
      folder,
      runFiles.looks,
      looks.map(({ text }) => text),
    )
    for (const source of sources) {
      copyBlobs(source.folder, folder)
      for (const kept of ['artifacts', 'workspaces']) copyTrials(source.folder, folder, kept)
    }
    return manifest
  })
  const own = parts.map(({ part }) => part.index)
  const gaps = [0, ...own].map((index, i): [number, number] => [index + 1, (own[i] ?? first.of + 1) - 1])
  return { manifest, recorded: placed.length, missing: gaps.filter(([from, to]) => from <= to) }
}

interface OwnPart {
  source: Source
  part: Source['parts'][number]
}

/** Returns each shard once, in order. Throws `UserError` if two sources have the same shard with different lines. */
function distinctParts(sources: readonly Source[]): OwnPart[] {
  const parts = new Map<number, OwnPart>()
  for (const source of sources)
    for (const part of source.parts) {
      const before = parts.get(part.index)
      if (before) requireSamePart(before, { source, part })
      else parts.set(part.index, { source, part })
    }
  return [...parts.values()].sort((a, b) => a.part.index - b.part.index)
}

function requireSamePart(a: OwnPart, b: OwnPart): void {
  const file = (Object.keys(partFiles) as PartFile[]).find((file) => {
    const [left, right] = [a, b].map(({ source, part }) =>
      readSpan({ source, ...part[file] }, partFiles[file]),
    )
    return !left?.equals(right ?? Buffer.alloc(0))
  })
  if (file === undefined) return
  const trial = file === 'steps' ? differingTrial(a, b) : undefined
  const lines =
    trial === undefined
      ? `lines of ${partFiles[file]}, or the same in another order`
      : `lines of trial ${trial}`
  throw differing(a.source, b.source, `shard ${a.part.index}`, lines)
}

const differing = (a: Source, b: Source, shard: string, lines: string) =>
  new UserError({
    where: `${a.folder}, ${b.folder}`,
    what: `both hold ${shard}, with different ${lines}`,
    fix: 'It was run twice, or went on in one of them: name one of them alone.',
  })

/** Returns the first trial whose lines differ in two runs of a shard; undefined if only their order does. */
function differingTrial(a: OwnPart, b: OwnPart): string | undefined {
  const linesOf = ({ source, part }: OwnPart) => {
    const trials = new Map<string, string>()
    const end = part.steps.offset + part.steps.length
    for (const { text, offset, place } of readJournalLines(
      join(source.folder, partFiles.steps),
      stepRemedy,
    )) {
      if (offset < part.steps.offset || offset >= end) continue
      const trial = trialOf(text, place)
      trials.set(trial, sha256(`${trials.get(trial) ?? ''}${text}`))
    }
    return trials
  }
  const [left, right] = [linesOf(a), linesOf(b)]
  return [...left.keys(), ...right.keys()].find((trial) => left.get(trial) !== right.get(trial))
}

/** Returns the records in the order of the plan, each once. Throws `UserError` if two sources have different records of a trial. */
function distinctRecords(records: PlacedRecord[]): PlacedRecord[] {
  records.sort((a, b) => a.place - b.place)
  return records.filter((record, i) => {
    const before = records[i - 1]
    if (before?.place !== record.place) return true
    const [a, b] = [before, record].map((one) => readSpan(one, journalFiles.records))
    if (!a?.equals(b ?? Buffer.alloc(0)))
      throw differing(before.source, record.source, `trial ${JSON.parse(`${a}`).trial}`, 'records')
    return false
  })
}

/** The manifest of the whole run. What may differ between shards is as in the shard that began first. */
function joinedManifest(sources: readonly Source[], parts: readonly OwnPart[]): RunManifest {
  const [earliest] = sources
    .map(({ manifest }) => manifest)
    .sort((a, b) => (JSON.stringify([a.createdAt, a]) < JSON.stringify([b.createdAt, b]) ? -1 : 1))
  const { shard: _, joined: __, sum: ___, ...common } = earliest as RunManifest
  const shards = parts.map(({ part: { index, steps, events, people } }) => ({
    ...{ index, steps: steps.length, events: events.length, people: people.length },
  }))
  return {
    ...common,
    id: wholeRunId(common),
    trials: common.tasks.length * rowNames(common).length * common.epochs,
    joined: { of: sources[0]?.of ?? 1, shards },
  }
}

/** Returns the sessions of a source, each as its lines. Sessions of shards ran side by side, and each begins before it ends. */
function sessionTexts({ folder }: Source): string[] {
  const sessions: string[] = []
  for (const { text } of readJournalLines(join(folder, runFiles.sessions), stepRemedy)) {
    if (text.startsWith('{"type":"begin"')) sessions.push(text)
    else sessions[sessions.length - 1] += `\n${text}`
  }
  return sessions
}
