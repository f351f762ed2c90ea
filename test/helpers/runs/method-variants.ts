/** Options that make a strategy take other paths than the defaults do. */
export const variants: Readonly<Record<string, readonly object[]>> = {
  baseline: [{ turns: 3 }],
  consensus: [
    { agents: 2 },
    { vote: 'weighted', weights: '2:1:1' },
    { vote: 'judge', agents: 4 },
    { vote: 'combine' },
  ],
  collaboration: [
    { workflow: 'feature_development' },
    { workflow: 'architecture_review', iterations: 1 },
    { workflow: 'fixtures/workflows/two-views.yaml' },
  ],
  dag: [
    { workflow: 'multi_step' },
    { workflow: 'debate' },
    { workflow: 'planner_executor' },
    { workflow: 'hierarchical' },
    { workflow: 'referee' },
    { workflow: 'composition' },
  ],
  integrated: [{ maxDecisions: 6 }],
  sequential: [
    { maxOuter: 2, maxInner: 3 },
    { maxOuter: 2, maxInner: 2, parallel: 3 },
  ],
}
