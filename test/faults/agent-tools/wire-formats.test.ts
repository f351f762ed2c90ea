import { describe, expect, it } from 'vitest'
import { sendAnyTranscripts } from '../../helpers/agents/any-transcript.ts'
import { callingAgents } from '../../helpers/agents/tool-agents.ts'
import { holdAgainstLog } from '../../helpers/agents/wire-law.ts'

describe.each(callingAgents)('%s', (name) => {
  it('reports of hundreds of streamed and cut turns with several calls what the server logged', async () => {
    for (let seed = 1; seed <= 20; seed++) await holdAgainstLog(name, `fault ${seed}`)
    expect.hasAssertions()
  })

  it('gets transcripts of any texts and arguments, whole and in order', async () => {
    await sendAnyTranscripts(name, 200)
    expect.hasAssertions()
  })
})
