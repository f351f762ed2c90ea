import { existsSync, lutimesSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A minute more, since the last session of a run ends some time after its begin. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000)

/** Makes everything in a run folder as old as this. */
export function ageRun(folder: string, days: number): void {
  const sessions = join(folder, 'sessions.jsonl')
  if (existsSync(sessions)) {
    // Old sessions carry no checksum.
    const begun = JSON.stringify(daysAgo(days).toISOString())
    const text = readFileSync(sessions, 'utf8').replaceAll(/"startedAt":"[^"]*"/g, `"startedAt":${begun}`)
    writeFileSync(sessions, text.replace(/,"sum":"\w+"\}/g, '}'))
  }
  for (const name of readdirSync(folder)) lutimesSync(join(folder, name), daysAgo(days), daysAgo(days))
}
