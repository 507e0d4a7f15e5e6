import { describeCardRaces } from '../../support/card-races.js';
import { useService } from '../../support/service.js';

const service = useService();

describeCardRaces(() => service.signUp(), 3);
