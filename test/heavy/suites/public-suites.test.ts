import { holdPublicSuites } from '../../helpers/suites/public-suites.ts'

holdPublicSuites(2)
