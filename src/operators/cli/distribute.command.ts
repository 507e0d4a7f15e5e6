import { Command } from 'commander';
import { DistributionService } from '../distribution/distribution.service.js';
import { withServices } from './services.js';

export function distributeCommand(): Command {
  return new Command('distribute')
    .description('distribute the tables of a Citus database by household; stop the service first')
    .action(async () => {
      const { changed } = await withServices((services) =>
        services.get(DistributionService).distribute(),
      );
      console.log(
        changed.length > 0
          ? `Distributed: ${changed.join(', ')}`
          : 'All tables are distributed already.',
      );
    });
}
