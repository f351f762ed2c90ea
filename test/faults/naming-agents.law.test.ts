import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { providers } from '../../src/agents/registry.ts'
import { seededRandom } from '../../src/base/random.ts'
import type { RunOptions } from '../../src/commands/config/run-options.ts'
import { confirmCost } from '../../src/commands/session/dry-run.ts'
import { executeRun } from '../../src/commands/session/execute.ts'
import { readRecords } from '../../src/loop/record/records.ts'
import { readManifest } from '../../src/loop/record/run-folder.ts'
import { UserError } from '../../src/text/errors.ts'
import { type KindOfAgent, kindsOfAgents } from '../helpers/agents/kinds-of-agents.ts'
import { level } from '../helpers/house/level.ts'
import { keepEnvironment } from '../helpers/machine/environment.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { namingPlaces } from '../helpers/runs/naming-places.ts'
import type { NamingPlace } from '../helpers/runs/naming-run.ts'
import { type ModelServer, startModelServer } from '../model-server/server.ts'

/** The state that all tests of a suite share. */
interface World extends ReturnType<typeof kindsOfAgents> {
  server: ModelServer
}

const random = seededRandom('places and kinds of agents')
/** By day a part of all pairs. */
const isTried = level<(place: NamingPlace, kind: KindOfAgent) => boolean>(
  () => random() < 0.15,
  () => true,
)

const restored = keepEnvironment()
const server = await startModelServer([{ text: 'Answer: 42', always: true }])
const home = mkdtempSync(join(tmpdir(), 'agents-'))
const world = { ...kindsOfAgents(server, home), server }
afterAll(async () => {
  restored()
  rmSync(home, { recursive: true, force: true })
  await server.close()
})
beforeEach(() => {
  const silent = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  return () => void silent.mockRestore()
})
// Recorded replies answer the asks of a task alone, so most places of this law refuse them: they have tests of their own.
it('the list of kinds of agents has every provider that answers any ask', () => {
  const answering = providers.filter(({ reaches }) => reaches !== 'replies').map(({ name }) => name)
  expect([...new Set(world.kinds.map(({ provider }) => provider))].sort()).toEqual(answering.sort())
})
for (const place of namingPlaces) {
  const kinds = world.kinds.filter((kind) => isTried(place, kind))
  if (kinds.length === 0) continue
  describe(place.name, () => {
    inDevMode(world, place, kinds)
    if (place.only !== 'dev') inLiveMode(world, place, kinds)
  })
}
const [first] = namingPlaces as readonly [NamingPlace]
for (const kind of world.kinds)
  if (isTried(first, kind)) describe(`in live mode ${kind.label}`, () => gates(world, kind))

function inDevMode(world: World, place: NamingPlace, kinds: readonly KindOfAgent[]): void {
  const seen = () => [world.server.log.length, world.started().length]
  const isDefault = place.is === 'default'
  const gated = isDefault ? [] : kinds.filter(({ isGated }) => isGated)
  const others = isDefault ? [] : kinds.filter(({ isGated }) => !isGated)

  it.each(gated)('refuses $label in dev mode, before it is asked or started', async (kind) => {
    const before = seen()
    const { error, folder } = await begun(world, place, kind, 'dev')
    expect(error).toMatch(/(?:--)?mode live/)
    expect(error).toContain(kind.provider === 'cli' ? '=cli' : kind.name)
    expect(seen()).toEqual(before)
    if (!place.goesOn) expect(folder).toBeUndefined()
  })

  it.each(others)('accepts $label in dev mode, and labels numbers by the agent', async (kind) => {
    const { error, folder } = await begun(world, place, kind, 'dev')
    expect(error).toBeUndefined()
    for (const simulated of simulatedIn(folder)) expect(simulated).toBe(isSimulated(place, kind))
  })

  it.each(isDefault ? kinds : [])('leaves $label for live mode: simulated agents answer', async (kind) => {
    const before = seen()
    const { error, folder = '' } = await begun(world, place, kind, 'dev')
    expect(error).toBeUndefined()
    expect([...readRecords(folder)].map(({ agents }) => agents)).toEqual(['simulated'])
    expect(simulatedIn(folder)).toEqual([true, true])
    expect(seen()).toEqual(before)
  })
}

function inLiveMode(world: World, place: NamingPlace, kinds: readonly KindOfAgent[]): void {
  it.each(kinds)('accepts $label in live mode, with its gates and labels', async (kind) => {
    const { server } = world
    const before = server.asked()
    const { error, folder } = await begun(world, place, kind, 'live')
    // Programs need a sandbox for whatever they do; answers of others are only read.
    if (kind.isProgram) return expect(error).toMatch(/is a program that would run in no sandbox/)
    expect(error).toBeUndefined()
    for (const simulated of simulatedIn(folder)) expect(simulated).toBe(isSimulated(place, kind))
    const asksModel = kind.isGated && kind.provider !== 'scripted' && !place.asksNobody
    expect(server.asked() > before).toBe(asksModel)
  })
}

/** The gates of the sandbox and of spending, which depend on the agent. */
function gates({ config }: World, kind: KindOfAgent): void {
  const { signal } = new AbortController()
  const options = (): RunOptions => {
    const live = { methods: 'baseline', mode: 'live', sandbox: 'none', agents: kind.name, trustCode: true }
    if (kind.provider !== 'cli') return live
    const path = join(tempFolder(), 'bench.config.yaml')
    writeFileSync(path, config)
    return { ...live, config: path }
  }

  it(`${kind.isGated ? 'needs' : 'does not need'} a sandbox for a task with code`, async () => {
    const out = join(tempFolder(), 'run')
    const run = executeRun({ ...options(), tasks: 'duration-text', out }, { signal, onEvent() {} })
    if (kind.isGated) await expect(run).rejects.toThrow(/would run in no sandbox/)
    else expect(simulatedIn((await run).folder)).toEqual([kind.isSimulated, kind.isSimulated])
  })

  it(`${kind.isGated ? 'asks' : 'does not ask'} for confirmation if the run may cost more than allowed`, async () => {
    const asked = { ...options(), tasks: 'ferry-morning', allowUnsandboxed: true, confirmAbove: '0' }
    const confirmed = confirmCost(asked, signal)
    if (kind.isGated) await expect(confirmed).rejects.toThrow(/may cost more than \$0/)
    else expect(await confirmed).toBe(true)
  })
}

const isSimulated = (place: NamingPlace, kind: KindOfAgent) => kind.isSimulated || place.is === 'mixed'

/** Begins a run by a place; gives its folder, where one was made, or the error of the user. */
async function begun({ config }: World, place: NamingPlace, kind: KindOfAgent, mode: 'dev' | 'live') {
  const folder = tempFolder()
  try {
    return { folder: await place.begin({ kind, mode, config, folder }) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { error: error.message, folder: existsSync(join(folder, 'run')) ? folder : undefined }
  }
}

/** Returns whether run.json and each record are marked as simulated. */
function simulatedIn(folder: string | undefined): boolean[] {
  if (folder === undefined) return []
  return [readManifest(folder), ...readRecords(folder)].map(({ simulated }) => simulated)
}
