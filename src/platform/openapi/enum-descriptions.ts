const DESCRIPTIONS = new Map<string, string>();

/** Registers the description of a shared enumeration, which many properties reference. */
export function describeEnum(name: string, description: string): void {
  DESCRIPTIONS.set(name, description);
}

export const enumDescriptions = (): [name: string, description: string][] => [...DESCRIPTIONS];
