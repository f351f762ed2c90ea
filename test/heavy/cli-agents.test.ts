import { describe } from 'vitest'
import { agentOf } from '../agents/cli/asked-clis.ts'
import { foldersOfTrial } from '../agents/cli/cli-trial.ts'
import { agentContract } from '../helpers/agents/agent-contract.ts'
import { answerTask } from '../helpers/runs/trial.ts'

describe.each(['codex-cli:gpt', 'gemini-cli:flash', 'opencode-cli:any', 'qwen-cli:coder'])(
  '%s keeps to the contract',
  (name) => {
    agentContract({
      ...{ create: () => agentOf(name), task: answerTask(), deterministic: false, folders: foldersOfTrial },
    })
  },
)
