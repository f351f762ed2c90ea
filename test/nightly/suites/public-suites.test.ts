import { holdPublicSuites } from '../../helpers/suites/public-suites.ts'

holdPublicSuites(Number.POSITIVE_INFINITY)
