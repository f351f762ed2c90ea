import { expect, it } from 'vitest'
import { barrierOf } from '../../../src/agents/cli/direct.ts'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'

const inSandbox = Object.fromEntries(cliKinds.map((kind) => [kind.name, barrierOf(kind, true)?.what]))

it('three agent CLIs can be limited to the tools of an orchestrator, and the others are refused', () => {
  const cannot = (name: string) => `${name} cannot be limited to the tools of an orchestrator (\`by=mcp\`)`
  expect(inSandbox).toEqual({
    'claude-cli': undefined,
    'codex-cli': undefined,
    'gemini-cli': undefined,
    'opencode-cli': cannot('opencode-cli'),
    'qwen-cli': cannot('qwen-cli'),
  })
})

it('outside of the sandbox none of them directs others', () => {
  for (const kind of cliKinds) expect(barrierOf(kind, false)).toBeDefined()
})
