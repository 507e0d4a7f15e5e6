import {
  createTheme,
  type CSSVariablesResolver,
  type MantineColorsTuple,
  type MantineThemeOverride,
} from '@mantine/core';

/** From the softest to the darkest; 7 is the accent in light colours, 3 the one in dark colours. */
const accent: MantineColorsTuple = [
  ...(['#e1f1ec', '#c3e2d9', '#8cc4b4', '#4fc3a7', '#34a58b', '#1e8870'] as const),
  ...(['#12765f', '#0b6b58', '#085645', '#16302a'] as const),
];

// A `<header>` in a dialog would count as another one of the page.
const dialog = { defaultProps: { attributes: { header: { role: 'presentation' } } } };

export const theme: MantineThemeOverride = createTheme({
  colors: { accent },
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '16px', xl: '20px' },
  lineHeights: { sm: '20px', md: '20px' },
  defaultRadius: 8,
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  headings: { fontWeight: '600' },
  cursorType: 'pointer',
  components: {
    Button: {
      defaultProps: { fw: 500 },
      vars: (_: unknown, { variant = 'filled' }: { variant?: string }) => ({
        root: variant === 'filled' ? { '--button-color': 'var(--on-accent)' } : {},
      }),
    },
    Badge: {
      defaultProps: { variant: 'light', radius: 6, size: 'lg', fz: 12, fw: 500, tt: 'none' },
    },
    Textarea: { defaultProps: { autoComplete: 'off', autosize: true } },
    DateInput: { defaultProps: { autoComplete: 'off' } },
    Drawer: {
      ...dialog,
      styles: { title: { fontSize: 16, fontWeight: 600, overflowWrap: 'anywhere' } },
    },
    Modal: dialog,
    Switch: {
      defaultProps: { labelPosition: 'left' },
      styles: { body: { justifyContent: 'space-between' } },
    },
    Tabs: {
      defaultProps: { keepMounted: false },
      styles: {
        list: { marginBottom: 16, columnGap: 'clamp(12px, 4vw, 24px)' },
        tab: { paddingInline: 0 },
      },
    },
    // Two inputs beside each other stay in line where one of them has a description.
    InputWrapper: {
      defaultProps: { inputWrapperOrder: ['label', 'input', 'description', 'error'] },
    },
    SegmentedControl: {
      defaultProps: { withItemsBorders: false, fw: 500 },
      vars: () => ({ root: { '--sc-color': 'var(--chosen)' } }),
    },
  },
});

/** Mantine's components in the colours of styles.css. */
const COLORS = {
  body: 'card',
  text: 'text',
  dimmed: 'muted',
  placeholder: 'muted',
  error: 'danger',
  default: 'card',
  'default-hover': 'hover',
  'default-color': 'text',
  'default-border': 'line',
  anchor: 'accent',
  'accent-light': 'accent-soft',
  'accent-light-color': 'accent',
  'accent-light-hover': 'accent-soft',
  'accent-filled': 'accent',
  'accent-filled-hover': 'accent-hover',
  'dark-4': 'line',
  'dark-5': 'hover',
  'dark-6': 'card',
  'red-light': 'danger-soft',
  'red-light-color': 'danger',
};

export const cssVariables: CSSVariablesResolver = () => {
  const colors = Object.fromEntries(
    Object.entries(COLORS).map(([name, own]) => [`--mantine-color-${name}`, `var(--${own})`]),
  );
  return { variables: {}, light: colors, dark: colors };
};
