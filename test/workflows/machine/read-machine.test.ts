import { expect, it } from 'vitest'
import { Machine } from '../../../src/schema/machine/machine-file.ts'
import { sha256 } from '../../../src/text/canonical-json.ts'
import { machineOf, machineText, personaFiles } from '../../helpers/fanout/machines.ts'

it('a machine without mistakes has its defaults, the texts of its personas and a digest of all of it', () => {
  const machine = machineOf()
  expect(Machine.parse(machine)).toEqual(machine)
  expect(machine.circuit_breaker.hard).toEqual({ transitions: 50, time_s: 3600, cost_usd: 10 })
  expect(machine.personas.writer).toEqual({
    file: 'personas/writer.md',
    text: personaFiles['personas/writer.md'],
    sha256: sha256(personaFiles['personas/writer.md'] ?? ''),
  })
  expect(machineOf(`# A comment changes nothing.\n${machineText()}`).digest).toBe(machine.digest)
  const other = { ...personaFiles, 'personas/writer.md': `${personaFiles['personas/writer.md']}More.\n` }
  expect(machineOf(machineText(), other).digest).not.toBe(machine.digest)
})
