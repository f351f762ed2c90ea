import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noteProgramLook, noteRetryAfterLook } from '../../../src/commands/compare/interim-look.ts'
import { noteInterimLook, readInterimLooks } from '../../../src/loop/record/interim-looks.ts'
import type { RunManifest } from '../../../src/schema/run/run.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { manifest } from '../../helpers/runs/run-files.ts'

const newFolder = () => {
  const folder = join(tempFolder(), 'run')
  mkdirSync(folder)
  return folder
}
const live: RunManifest = { ...manifest, mode: 'live', simulated: false, trials: 20 }
const looksOf = (folder: string) => readInterimLooks(folder).map(({ records, command }) => [records, command])

describe('a look of a program', () => {
  it('is recorded for a run that is not whole', () => {
    const folder = newFolder()
    noteProgramLook(folder, live, 12)
    expect(looksOf(folder)).toEqual([[12, 'run()']])
    expect(readFileSync(join(folder, 'looks.jsonl'), 'utf8')).toContain('"records":12')
  })

  it('is recorded once for each number of records', () => {
    const folder = newFolder()
    for (const records of [12, 12, 16, 16]) noteProgramLook(folder, live, records)
    expect(looksOf(folder).map(([records]) => records)).toEqual([12, 16])
  })

  it.each([
    ['a whole run', live, 20],
    ['a run without records', live, 0],
    ['a simulated run', { ...live, simulated: true }, 12],
  ])('is not recorded for %s', (_, ofRun, records) => {
    const folder = newFolder()
    noteProgramLook(folder, ofRun, records)
    expect(looksOf(folder)).toEqual([])
  })

  it('does no harm if the run folder is gone', () => {
    expect(() => noteProgramLook(join(tempFolder(), 'gone'), live, 12)).not.toThrow()
  })
})

describe('trials that are made again', () => {
  const retry = (folder: string, ofRun: RunManifest, before: number) => {
    const notes: string[] = []
    noteRetryAfterLook(folder, ofRun, { before, kept: before - 3 }, (note) => notes.push(note))
    return notes
  }

  it('after a whole run are a look at the records that stay', () => {
    const folder = newFolder()
    expect(retry(folder, live, 20)).toEqual([
      expect.stringMatching(/^3 of 20 trials are made again after a look/),
    ])
    expect(looksOf(folder)).toEqual([[17, 'bench run --resume --retry-errors']])
  })

  it('after an interim look are a look, too, and without one they are not', () => {
    const folder = newFolder()
    expect(retry(folder, live, 12)).toEqual([])
    noteInterimLook(folder, { records: 12, command: 'bench report' })
    expect(retry(folder, live, 12)).toHaveLength(1)
    expect(looksOf(folder).map(([records]) => records)).toEqual([12, 9])
  })

  it('of a simulated run are none', () => {
    expect(retry(newFolder(), { ...live, simulated: true }, 20)).toEqual([])
  })
})
