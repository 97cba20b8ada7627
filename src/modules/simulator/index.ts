export { type SimulatedMessage, Simulator } from './application/simulator.service.js';
export {
  isSimulatedRecipient,
  isSimulatedSuppression,
  SIMULATED_ORIGINATION_NUMBER,
  SIMULATOR,
} from './domain/simulation.js';
