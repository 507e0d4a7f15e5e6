import { Command } from 'commander';
import { IntegrityService, type RuleResult } from '../integrity/integrity.service.js';
import { printJson, printTable } from './output.js';
import { withServices } from './services.js';

const EXIT_PROBLEMS_FOUND = 1;

export function checkCommand(): Command {
  return new Command('check')
    .description('check the consistency of the stored data; changes nothing')
    .option('--json', 'print JSON')
    .action(check);
}

async function check({ json }: { json?: true }): Promise<void> {
  const rules = await withServices((services) => services.get(IntegrityService).check());
  const found = rules.reduce((sum, rule) => sum + rule.found, 0);
  if (json) printJson({ found, rules });
  else printResults(rules, found);
  if (found > 0) process.exitCode = EXIT_PROBLEMS_FOUND;
}

function printResults(rules: readonly RuleResult[], found: number): void {
  printTable(
    rules.map(({ rule, says, found: count }) => ({
      Rule: rule,
      Problems: count,
      Description: says,
    })),
    '',
  );
  for (const { rule, found: count, findings } of rules.filter((result) => result.found > 0)) {
    console.log(`\n${rule}`);
    for (const { entity, id, problem } of findings) console.log(`  ${entity} ${id}: ${problem}`);
    if (count > findings.length) console.log(`  and ${count - findings.length} more`);
  }
  console.log(
    `\n${found === 0 ? 'No problems found.' : `Problems: ${found}. Nothing was changed.`}`,
  );
}
