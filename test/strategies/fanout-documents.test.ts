import { describe, expect, it } from 'vitest'
import { documentsFor } from '../../src/commands/methods/documents.ts'
import { chooseMachine } from '../../src/orchestration/machine/choose-machine.ts'

const documents = documentsFor({ name: 'fanout' }, true)
const names = ['code', 'post', 'post-approval', 'post-gates']

describe('the workflows of fanout that ship', () => {
  it.each(names)('%s is read with its personas', (name) => {
    const machine = chooseMachine(name, documents)
    expect(machine.name).toBe(name)
    for (const { text, sha256 } of Object.values(machine.personas)) {
      expect(text).toContain('## Task')
      expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    }
  })

  it('name no provider, so that the agents of the run answer', () => {
    for (const name of names) {
      const { orchestrator, agents } = chooseMachine(name, documents)
      expect([orchestrator, ...Object.values(agents)].map(({ agent }) => agent)).toEqual(
        [orchestrator, ...Object.values(agents)].map(() => undefined),
      )
    }
  })
})
