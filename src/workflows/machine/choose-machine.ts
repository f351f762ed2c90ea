import type { Machine } from '../../schema/machine/machine-file.ts'
import type { Documents } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { besideFile, findDocument, folderOf } from '../document/read-document.ts'
import { readMachine } from '../document/read-machine.ts'

/** Reads the machine of a file, or of the name of a shipped one, with its personas. Throws `UserError` with every problem. */
export function chooseMachine(name: string, documents: Documents): Machine {
  const { read, shipped, agentProblem } = documents
  const { text, path, isPath } = findDocument(name, documents, { noun: 'workflow', file: 'workflow' })
  const problems: Problem[] = []
  const source = readMachine(text, path, problems, {
    read: (other) => (isPath ? read(other, folderOf(path)) : shipped[besideFile('', other)]),
    ...(agentProblem && { agentProblem }),
  })
  if (!source) throw new UserError(problems)
  return source.machine
}
