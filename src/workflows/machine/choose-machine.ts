import type { Machine } from '../../schema/machine/machine-file.ts'
import type { Documents } from '../../strategy.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { besideFile, folderOf, readMachine } from '../document/read-machine.ts'
import { unknownDocumentFix } from '../unknown-document.ts'

/** Reads the machine of a file, or of the name of a shipped one, with its personas. Throws `UserError` with every problem. */
export function chooseMachine(name: string, documents: Documents): Machine {
  const { read, shipped, agentProblem } = documents
  const isPath = /[/\\]|\.(ya?ml|json)$/.test(name)
  const path = isPath ? name : `${name}.yaml`
  const text = isPath ? read(name) : shipped[path]
  if (text === undefined) throw new UserError(unknown(name, isPath, documents))
  const problems: Problem[] = []
  const besideIt = (other: string) => (isPath ? read(other, folderOf(path)) : shipped[besideFile('', other)])
  const source = readMachine(text, path, problems, {
    read: besideIt,
    ...(agentProblem && { agentProblem }),
  })
  if (!source) throw new UserError(problems)
  return source.machine
}

function unknown(name: string, isPath: boolean, documents: Documents): Problem {
  const names = Object.keys(documents.shipped).flatMap((file) => /^([^/]+)\.yaml$/.exec(file)?.[1] ?? [])
  return {
    where: `workflow ${name}`,
    what: isPath ? 'there is no such file' : 'there is no such workflow',
    fix: isPath ? 'Give the path of a workflow.' : unknownDocumentFix(name, names, documents),
  }
}
