import { surviveInjectedFaults } from './injected-faults-scenario.ts'

surviveInjectedFaults(208)
