/** The result of a trial of Harbor, which passed. */
export const harborTrial = (name: string) => ({
  ...{ id: name, task_name: 'tidy', trial_name: name, source: 'own', task_checksum: 'c1' },
  ...{ agent_info: { name: 'lead', model_info: { name: 'm', provider: 'v' } } },
  verifier_result: { rewards: { reward: 1 } },
})

/** A trajectory in ATIF of the agent `lead`. */
export const trajectory = (steps: object[], more: { agent?: object } & Record<string, unknown> = {}) => ({
  ...{ schema_version: 'ATIF-v1.7', session_id: 's1', steps, ...more },
  agent: { name: 'lead', version: '1', model_name: 'v/m', ...more.agent },
})

/** A message of the user, as a step of a trajectory. */
export const userStep = (message: unknown) => ({ source: 'user', message })

/** A reply of the agent, as a step of a trajectory. */
export const agentStep = (message: unknown, more: object = {}) => ({ source: 'agent', message, ...more })
