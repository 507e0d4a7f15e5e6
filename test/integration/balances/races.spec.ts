import { describeBalanceRaces } from '../../support/balance-races.js';
import { useService } from '../../support/service.js';

const service = useService();

describeBalanceRaces(() => service.signUp(), 3);
