import { getMetadataStorage } from 'class-validator';

/**
 * Has class-validator work out once which rules a class has, its own and those of its ancestors: it does so
 * anew for every object that it validates. The service has no groups of rules, for which the answer would
 * depend on more than the class.
 */
export function rememberValidationRules(): void {
  const storage = getMetadataStorage();
  const rulesOf = storage.getTargetValidationMetadatas.bind(storage);
  const byProperty = storage.groupByPropertyName.bind(storage);
  const known = new Map<unknown, ReturnType<typeof rulesOf>>();
  const grouped = new Map<unknown, ReturnType<typeof byProperty>>();

  storage.getTargetValidationMetadatas = (target, ...options) => {
    const rules = known.get(target) ?? rulesOf(target, ...options);
    known.set(target, rules);
    return rules;
  };
  storage.groupByPropertyName = (rules) => {
    const groups = grouped.get(rules) ?? byProperty(rules);
    grouped.set(rules, groups);
    return groups;
  };
}
