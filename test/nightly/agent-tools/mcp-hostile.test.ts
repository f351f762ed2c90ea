import { describe, expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { foldersLeft, sandboxes } from '../../helpers/machine/sandboxes.ts'
import {
  barelyNamed,
  hangingStarts,
  hostileCalls,
  hostileStarts,
  hostileTool,
  knownHostile,
  runningHostile,
} from '../../helpers/tools/hostile-servers.ts'
import { openRun, resolve, withServer } from '../../helpers/tools/mcp-tools.ts'

/** Longest time of a case: a start, two calls and an end. */
const longest = 20_000

const expectNothingLeft = () => {
  expect(foldersLeft()).toEqual([])
  expect(runningHostile()).toBe(0)
}

describe.each(sandboxes)('a hostile MCP server in the sandbox %s', (name, required) => {
  const { it } = needs(...required)

  it.each(hostileCalls)(
    '%s: each call has a stated outcome, and nothing is left',
    async (server, ...expected) => {
      const sandbox = await openRun(name)
      const startedAt = performance.now()
      const results = await withServer(knownHostile(server), { sandbox }, async (running) => [
        await running.call('go', {}),
        await running.call('go', {}),
      ])
      for (const [at, [outcome, text]] of expected.entries()) {
        expect(results[at]).toMatchObject({ outcome })
        if (typeof text === 'string') expect(results[at]?.text).toBe(text)
        else expect(results[at]?.text).toMatch(text)
        expect(results[at]?.sandbox).toBe(name === 'none' ? 'none' : 'full')
      }
      expect(performance.now() - startedAt).toBeLessThan(longest)
      expectNothingLeft()
    },
  )

  const problemsOf = async (server: string) => {
    const found = await resolve(hostileTool(server), { sandbox: await openRun(name), startMs: 3000 })
    const problems = 'problems' in found ? found.problems : []
    return problems.map(({ what, fix }) => `${what}. ${fix}`)
  }

  it.each(hostileStarts)('%s: is refused before a run, with the reason', async (server, problem) => {
    expect(await problemsOf(server)).toEqual([expect.stringMatching(problem)])
    expectNothingLeft()
  })

  it('that never answers is refused when its time is over, with what it printed instead', async () => {
    const found = await Promise.all(hangingStarts.map(([server]) => problemsOf(server)))
    expect(found).toEqual(hangingStarts.map(([, problem]) => [expect.stringMatching(problem)]))
    expectNothingLeft()
  })

  it.each(barelyNamed)(
    '%s: is taken, with `unknown` for what it does not say',
    async (server, title, version) => {
      const found = await resolve(hostileTool(server), { sandbox: await openRun(name) })
      expect('tool' in found && found.tool.server).toEqual({ name: title, version })
    },
  )
})
