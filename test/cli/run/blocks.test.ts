import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import {
  begunBlocks,
  blockFolder,
  endBlocks,
  isBlockWhole,
  joinBlocks,
  joinedBlocks,
  openBlock,
  readyBlocks,
} from '../../../src/loop/join/blocks.ts'
import { damageOf, isStillDamaged } from '../../../src/loop/join/damaged-block.ts'
import { createPlaces } from '../../../src/loop/plan/block-order.ts'
import { lockRunFolder } from '../../../src/loop/record/lock.ts'
import { recordedTrials, sortRecords } from '../../../src/loop/record/records.ts'
import { readFirstManifest } from '../../../src/loop/record/run-folder.ts'
import { UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { benchOk, recordLines, recordsOf, refused, stepsOf, wholeLines } from '../../helpers/runs/cli.ts'

const plan = argv`--tasks ferry-morning,lamp-paths,word-rewriting --methods baseline,self-consistency --quiet`

describe('blocks of a run that workers do', () => {
  const place = mkdtempSync(join(tmpdir(), 'bench-test-blocks-'))
  afterAll(() => rmSync(place, { recursive: true, force: true }))
  const whole = join(place, 'whole')
  const blocks = [1, 2, 3].map((k) => join(place, `${k}`))
  beforeEach(async () => {
    if (existsSync(whole)) return
    await benchOk([...plan, '--out', whole])
    for (const [k, folder] of blocks.entries())
      await benchOk([...plan, '--shard', `${k + 1}/3`, '--out', folder])
  })

  /** A run whose blocks are whole and not joined. */
  function openRun() {
    const run = join(tempFolder(), 'run')
    mkdirSync(run)
    cpSync(join(whole, 'run.json'), join(run, 'run.json'))
    readyBlocks(run)
    for (const [k, folder] of blocks.entries()) {
      cpSync(folder, blockFolder(run, k + 1), { recursive: true })
      rmSync(join(blockFolder(run, k + 1), 'run.json'))
    }
    const manifest = readFirstManifest(run)
    const damaged: string[] = []
    const onDamage = (block: number, { what }: { what: string }) => void damaged.push(`${block} ${what}`)
    const about = { manifest, placeOf: createPlaces(manifest), onDamage }
    return { run, about, damaged, joinOne: (...blocks: number[]) => joinBlocks(run, blocks, about) }
  }
  const sorted = (run: string) => {
    const placeOf = createPlaces(readFirstManifest(run))
    sortRecords(
      run,
      Array.from(recordedTrials(run), ({ slot }) => placeOf(slot)?.place ?? -1),
    )
    return recordLines(run)
  }
  const sizes = (run: string) => stepsOf(run).length

  it('give the run all lines, in whatever order they end, and leave nothing', () => {
    const { run, joinOne } = openRun()
    expect(begunBlocks(run).every((block) => isBlockWhole(blockFolder(run, block)))).toBe(true)
    expect(joinOne(3, 1)).toEqual([3, 1])
    expect(joinOne(2)).toEqual([2])
    expect(begunBlocks(run)).toEqual([])
    expect(joinedBlocks(run)).toEqual(new Set([1, 2, 3]))
    expect(sorted(run)).toEqual(recordLines(whole))
    expect(sizes(run)).toBe(sizes(whole))
    endBlocks(run)
    // Nobody may take it for a run whose first join was cut off.
    expect(() => readyBlocks(run)).toThrow(
      /is not done by workers any more\. Go on with it here, without --queue/,
    )
    expect(sizes(run)).toBe(sizes(whole))
    expect(readdirSync(run).sort()).toEqual([
      'events.jsonl',
      'records.jsonl',
      'run.json',
      'sessions.jsonl',
      'steps.jsonl',
    ])
  })

  it('are joined once, wherever a crash was: lines of a join that was cut off are taken back', () => {
    const { run, joinOne } = openRun()
    joinOne(2)
    const before = sizes(run)
    // As after a crash while lines were copied.
    for (const file of ['steps.jsonl', 'records.jsonl', 'sessions.jsonl'])
      appendFileSync(join(run, file), '{"tor')
    readyBlocks(run)
    expect(sizes(run)).toBe(before)
    joinOne(1)
    // As after a crash between the note and the removal of the folder.
    rmSync(join(run, 'joined', '1'), { recursive: true })
    cpSync(blocks[0] ?? '', blockFolder(run, 1), { recursive: true })
    readyBlocks(run)
    expect(begunBlocks(run)).toEqual([3])
    joinOne(3)
    expect(sorted(run)).toEqual(recordLines(whole))
  })

  it('are not joined while somebody holds them, and not begun again once they are', () => {
    const { run, joinOne } = openRun()
    const lock = lockRunFolder(blockFolder(run, 1))
    expect(joinOne(1, 2)).toEqual([2])
    lock.release()
    expect(joinOne(1)).toEqual([1])
    expect(openBlock(run, 1)).toBeUndefined()
    expect(existsSync(blockFolder(run, 1))).toBe(false)
    expect(openBlock(run, 3)).toBe(blockFolder(run, 3))
  })

  it('are left while they are damaged, and the others are joined; mended or removed, they are joined, too', () => {
    const { run, damaged, joinOne } = openRun()
    const steps = join(blockFolder(run, 2), 'steps.jsonl')
    rmSync(steps)
    const records = join(blockFolder(run, 3), 'records.jsonl')
    const text = readFileSync(records, 'utf8')
    writeFileSync(records, text.replace(/"score":\d/, '"score":7'))
    expect(joinOne(1, 2, 3)).toEqual([1])
    expect(damaged).toEqual([
      expect.stringMatching(/^2 \[.*blocks\/2\/.*Without a copy, remove .* workers do this block again/s),
      expect.stringMatching(/^3 \[.*blocks\/3\/records\.jsonl/),
    ])
    expect(sizes(run)).toBe(stepsOf(blocks[0] ?? '').length)
    cpSync(join(blocks[1] ?? '', 'steps.jsonl'), steps)
    writeFileSync(records, text)
    expect(joinOne(2, 3)).toEqual([2, 3])
    expect(sorted(run)).toEqual(recordLines(whole))
  })

  it('are told to be as they were when they were found damaged, until a file of them changes', () => {
    const { run } = openRun()
    const folder = blockFolder(run, 2)
    const broken = new UserError([
      { where: `${join(folder, 'records.jsonl')}:1`, what: 'is bent' },
      { where: `${join(folder, 'records.jsonl')}:2`, what: 'is broken' },
    ])
    const damage = damageOf(broken, folder)
    expect(damage?.what).toMatch(/is bent\. .* is broken/)
    for (const other of [run, blockFolder(run, 20), folder])
      expect(damageOf(new UserError({ where: other, what: 'is broken' }), folder)).toBeUndefined()
    expect(isStillDamaged(folder, damage)).toBe(true)
    lockRunFolder(folder).release()
    expect(isStillDamaged(folder, damage)).toBe(true)
    appendFileSync(join(folder, 'events.jsonl'), ' ')
    expect(isStillDamaged(folder, damage)).toBe(false)
    rmSync(folder, { recursive: true })
    expect(isStillDamaged(folder, damage)).toBe(false)
  })

  it('are not begun where the folder of the run is gone, or the run is over', () => {
    const { run } = openRun()
    for (const gone of [join(run, 'blocks'), run]) {
      rmSync(gone, { recursive: true })
      expect(openBlock(run, 3)).toBeUndefined()
      expect(existsSync(gone)).toBe(false)
    }
  })

  it('a worker that wakes up when its block was joined may not write any more', () => {
    const { run, joinOne } = openRun()
    const folder = blockFolder(run, 1)
    const lock = lockRunFolder(folder)
    rmSync(join(folder, 'lock'))
    expect(joinOne(1)).toEqual([1])
    expect(() => lock.assertHeld()).toThrow(/was removed while this run was using it/)
    lock.release()
  })

  it('are told by bench show as what is joined: sessions, trials and their stories', async () => {
    const { run, joinOne } = openRun()
    joinOne(2)
    // One that a worker has in hand: its first trial has not ended.
    const open = blockFolder(run, 1)
    writeFileSync(join(open, 'records.jsonl'), '')
    writeFileSync(join(open, 'sessions.jsonl'), `${wholeLines(join(open, 'sessions.jsonl'))[0]}\n`)
    const shown = await benchOk(['show', run])
    expect(shown).toMatch(/^4 trials of 6 recorded: /m)
    expect(shown).toContain(`2 of them in blocks of workers, to be joined: bench run --resume ${run}`)
    expect(shown).toContain('2 not run yet: ')
    expect(shown.match(/^ {2}session /gm)).toHaveLength(3)
    for (const { trial } of [run, blockFolder(run, 3)].flatMap(recordsOf)) {
      expect(shown).toContain(trial.slice(0, 12))
      expect(await benchOk(['show', run, trial])).toBe(await benchOk(['show', whole, trial]))
    }
    const [{ trial = '' } = {}] = stepsOf(open)
    expect(await benchOk(['show', run, trial.slice(0, 10)])).toContain('Not ended yet  ')
    const { recorded, trials } = JSON.parse(await benchOk(['show', run, '--json']))
    expect([recorded, trials.length]).toEqual([4, 4])
    const pair = argv`--methods baseline,self-consistency --task`
    for (const { task } of recordsOf(blockFolder(run, 3)))
      expect(await benchOk(['show', run, ...pair, task])).toBe(
        (await benchOk(['show', whole, ...pair, task])).replaceAll(whole, run),
      )
    expect(await benchOk(['show', run, '--tokens'])).toContain('not ended yet')
    await refused(['show', run, 'zz'], [/has no record of a trial whose id starts with this/])
    await refused(['show', run, ''], [/\d trials have an id that starts with this/])
  })

  it('a damaged block is told, and a run refused whose note is gone', () => {
    const { run, damaged, joinOne } = openRun()
    truncateSync(join(blockFolder(run, 1), 'steps.jsonl'), 200)
    expect(joinOne(1)).toEqual([])
    expect(damaged.join()).toContain(`remove ${blockFolder(run, 1)} and go on with the run`)
    expect(sizes(run)).toBe(0)
    joinOne(2)
    rmSync(join(run, 'joined', 'last.json'))
    expect(() => readyBlocks(run)).toThrow(/has lost .*last\.json\. Restore the file/)
    expect(sizes(run)).toBeGreaterThan(0)
  })

  it('a run that has lost lines of its blocks is refused', () => {
    const { run, joinOne } = openRun()
    joinOne(2)
    truncateSync(join(run, 'steps.jsonl'), 100)
    expect(() => readyBlocks(run)).toThrow(/steps\.jsonl\] has lost lines: 100 bytes are left of \d+/)
  })
})
