import { fuzzGateway } from '../../helpers/fuzz-gateway.ts'

fuzzGateway(200, 22)
