import { describe } from 'vitest'
import { agentOf, names } from '../agents/cli/asked-clis.ts'
import { foldersOfTrial } from '../agents/cli/cli-trial.ts'
import { agentContract } from '../helpers/agents/agent-contract.ts'
import { answerTask } from '../helpers/runs/trial.ts'

describe.each(names.slice(1))('%s keeps to the contract', (name) => {
  agentContract({
    ...{ create: () => agentOf(name), task: answerTask(), deterministic: false, folders: foldersOfTrial },
  })
})
