import { describe, expect, it } from 'vitest'
import { sendAnyTranscripts } from '../../helpers/agents/any-transcript.ts'
import { callingAgents } from '../../helpers/agents/tool-agents.ts'
import { holdAgainstLog } from '../../helpers/agents/wire-law.ts'

// test/faults/agent-tools has the same laws over many more cases.
describe.each(callingAgents)('%s', (name) => {
  it('reports of streamed and cut turns with several calls what the server logged: nothing lost, nothing twice', async () => {
    await holdAgainstLog(name, '1')
    expect.hasAssertions()
  })

  it('gets a transcript of any texts and arguments, whole and in order', async () => {
    await sendAnyTranscripts(name, 6)
    expect.hasAssertions()
  })
})
